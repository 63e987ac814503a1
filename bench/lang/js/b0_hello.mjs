export default (print) => {
  print("hi");
};
